"""Runs the program as a shell does, but without a local network.

Doors run as `patient_doors`, which wait longer on a busy machine.
"""

from collections.abc import Sequence
from typing import NoReturn

from driflamme_tui.cli.main import run
from netcode import child_process
from netcode.joining import discovery
from netcode.joining.discovery import DiscoveryError


async def no_network(_interfaces: Sequence[str] | None) -> NoReturn:
    raise DiscoveryError("This machine is not on a network: connect it first.")


DOORS = "driflamme_tui.wings.doors.door_process"

program_command = child_process.program_command


def patient_command(module: str, *arguments: str) -> tuple[str, ...]:
    patient = "tests.wings.doors.patient_doors" if module == DOORS else module
    return program_command(patient, *arguments)


vars(child_process)["program_command"] = patient_command
vars(discovery)["open_zeroconf"] = no_network

if __name__ == "__main__":
    run()
