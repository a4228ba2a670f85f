"""Tests that the tags of messages on the wire stay the same, even if a class is renamed."""

from collections import Counter

from netcode.protocol.codec import messages_from_client, messages_from_host
from tests.support.wings import brought

TAGS = """
    absent act add_bot admitted answer_wish ask_seat back_to_lobby change_bot change_settings chat
    choose_family
    clock end_game game_record goodbye guessing hello here knock knocked leave lobby
    move_seat mute new_code new_invitation pause prove refused remove rename send_away set_ready
    shuffle_seats silence start state stop_count talk welcome
"""
"""The tags of the core. A new message adds one; an old one never changes.

A wing has its tags in `tests/wings/NAME/tags.py`.
"""


def tags() -> list[str]:
    kinds = dict.fromkeys((*messages_from_client(), *messages_from_host()))
    return [str(kind.__struct_config__.tag) for kind in kinds]


def test_every_message_keeps_its_name_on_the_wire() -> None:
    # Without a wing, its messages and tags are missing.
    pinned = [*TAGS.split(), *(tag for of_wing in brought("tags", str) for tag in of_wing.split())]
    assert sorted(tags()) == sorted(pinned)


def test_no_two_messages_have_one_name() -> None:
    assert [tag for tag, times in Counter(tags()).items() if times > 1] == []
