"""The benchmarks of `scripts/bench`: that each runs to its end, with figures that can be true."""

from scripts.lib import bench_server


def test_the_server_s_figures_are_possible() -> None:
    figures = bench_server.measure(counts=(1, 2), turns=1, moves=60, idle=2)
    for row in figures["tables"]:
        assert row["moves_per_s"] > 0
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    assert 0 < figures["ratio"] < 2
    assert 0 < figures["state_bytes"]["p50"] <= figures["state_bytes"]["max"]
