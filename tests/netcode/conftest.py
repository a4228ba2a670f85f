import pytest

# The helpers assert too; let their failures show what was compared.
pytest.register_assert_rewrite("tests.netcode.pretend", "tests.netcode.strategies")
