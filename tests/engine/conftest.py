import pytest

# The helpers assert too; let their failures show what was compared.
pytest.register_assert_rewrite("tests.engine.lines", "tests.engine.random_games")
