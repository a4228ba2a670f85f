"""The names of messages on the wire: a class may be renamed, its tag may not."""

from collections import Counter

from netcode.protocol.codec import messages_from_client, messages_from_host

TAGS = """
    absent act add_bot admitted ask_league back_to_lobby call carry carry_on challenge
    change_bot change_settings chat choose_family clock club end_game game_record goodbye
    guessing hand_over hello here knock knocked league leave lobby log_at log_in mute
    new_code new_invitation open_table pause prove refused relay_pass remove rename sealed
    send_away set_ready silence start state stop_count talk unannounced welcome
"""
"""The tags of the core and of all wings. A new message is added; an old one never changes."""


def tags() -> list[str]:
    kinds = dict.fromkeys((*messages_from_client(), *messages_from_host()))
    return [str(kind.__struct_config__.tag) for kind in kinds]


def test_every_message_keeps_its_name_on_the_wire() -> None:
    # A build without a wing knows fewer; none has another name.
    assert {*tags()} <= {*TAGS.split()}


def test_no_two_messages_have_one_name() -> None:
    assert [tag for tag, times in Counter(tags()).items() if times > 1] == []
