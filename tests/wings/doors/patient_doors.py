"""The process of a host's doors for tests: a guest has time to read the goodbye."""

import runpy

from driflamme_tui.wings.doors import visitors

if __name__ == "__main__":
    vars(visitors)["LEAVE_S"] = 60.0
    runpy.run_module("driflamme_tui.wings.doors.door_process", run_name="__main__")
