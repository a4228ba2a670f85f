"""A host with doors, as a process, and what people have who come by them."""

import gzip
import json
import re
import shutil
from urllib.request import Request, urlopen

import pytest

from tests.e2e.test_terminal import Terminal, headless, run

SSH = shutil.which("ssh")

OPTIONS = [
    "UserKnownHostsFile=/dev/null",
    "StrictHostKeyChecking=no",
    "PubkeyAuthentication=no",
    "IdentityAgent=none",
]


def test_who_has_only_a_browser_gets_the_page_and_is_let_in_by_the_link() -> None:
    options = "--headless", "--bind", "127.0.0.1", "--port", "0", "--no-announce", "--web", "0"
    with headless(*options) as (host, _port):
        assert host.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            told += host.stdout.readline()
        link = re.search(r"(http://127\.0\.0\.1:\d+)/#(\S+)\n", told)
        assert link is not None
        with urlopen(link[1]) as page:
            assert b"Your name" in gzip.decompress(page.read())
        wish = json.dumps({"name": "Rosalind", "code": link[2]}).encode()
        with urlopen(Request(f"{link[1]}/enter", wish, {"Origin": link[1]})) as answer:
            assert answer.status == 204


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
def test_who_has_only_ssh_types_the_line_and_the_code_and_is_there_until_the_host_is_not() -> None:
    assert SSH is not None
    options = "--headless", "--bind", "127.0.0.1", "--port", "0", "--no-announce", "--ssh", "0"
    with headless(*options) as (host, _port):
        assert host.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            told += host.stdout.readline()
        line = re.search(r"ssh -p ([0-9]+) NAME@127\.0\.0\.1\n", told)
        code = re.search(r"the spoken code (\S+)\.", told)
        assert line is not None
        assert code is not None
        assert re.search(r"its key is SHA256:\S{43}\.", told)
        ways = [each for option in OPTIONS for each in ("-o", option)]
        command = (SSH, "-F", "none", "-p", line[1], *ways)
        terminal = Terminal("Rosalind@127.0.0.1", command=command)
        terminal.until("Without an SSH key")
        terminal.until("code that the host sees")
        terminal.press(f"{code[1]}\r")
        terminal.until("Rosalind")
        terminal.until("host")
        # A host that is killed takes no leave of the door, which ends all the same.
        host.kill()
        terminal.end()


def test_a_door_that_cannot_be_is_one_sentence_and_exit_status_2() -> None:
    for options, why in (
        (("--insecure", "--ssh"), "A door lets in by a code"),
        (("--ssh", "70000"), "70000"),
        (("--web-proxy", "table.example"), "'table.example' is not where a page is"),
    ):
        failed = run("host", "--headless", "--bind", "127.0.0.1", "--port", "0", *options)
        assert failed.returncode == 2
        assert why in failed.stderr
        assert len(failed.stderr.strip().splitlines()) == 1
