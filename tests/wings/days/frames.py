"""Messages of games that last for days, for attacks on a host."""

from netcode.wings.days.messages import AskTurns, Condition, SeatProof, SetCall, SetConditions

FROM_CLIENT = [
    AskTurns(seats=(SeatProof("7K2", bytes(32)),)),
    SetCall(address="anna@example.org"),
    SetConditions(conditions=(Condition(card="rS", until_round=3),)),
]
