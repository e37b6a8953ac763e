"""The seed decides everything that a campaign does."""

from itertools import pairwise

from local.faults.moods import AMBUSHES, Moods
from local.faults.plan import LATEST, TARGETS, draw


def test_one_seed_draws_one_plan() -> None:
    assert draw(3, 120, 2.0) == draw(3, 120, 2.0)
    assert draw(3, 120, 2.0) != draw(4, 120, 2.0)


def test_every_way_of_hitting_everything_is_tried_in_half_an_hour() -> None:
    dealt = {(blow.target, blow.how) for blow in draw(1, 1800, 2.0).blows}
    assert dealt == {(name, how) for name, target in TARGETS.items() for how in target.hows}


def test_what_is_hit_is_back_before_it_is_hit_again_and_soon_after_the_end() -> None:
    blows = draw(1, 300, 2.0).blows
    for target in TARGETS:
        of_target = [blow for blow in blows if blow.target == target]
        assert all(one.at + one.seconds <= two.at for one, two in pairwise(of_target))
        assert all(blow.at + blow.seconds <= 300 + LATEST for blow in of_target)


def test_rate_is_kept_on_the_whole() -> None:
    assert 0.7 < draw(1, 1800, 2.0).items / 3600 < 1.3


def test_provider_treats_the_same_message_the_same_way_in_each_campaign() -> None:
    one, two = ([Moods(5, "twilio").next(f"+{n}")[0] for n in range(50)] for _ in range(2))
    assert one == two
    assert len(set(one)) > 10


def test_calm_provider_treats_everybody_well() -> None:
    moods = Moods(5, "twilio")
    moods.calm = True
    assert all(moods.next(f"+{n}")[0].treatment.clear for n in range(200))


def test_workers_are_ambushed_in_every_way_and_never_by_calm_providers() -> None:
    moods = Moods(5, "twilio")
    drawn = [moods.next(f"+{n}")[0].ambush for n in range(3000)]
    sprung = {(ambush.target, ambush.how) for ambush in drawn if ambush}
    assert sprung == {(target, how) for target, how, _ in AMBUSHES}
    moods.calm = True
    assert not any(moods.next(f"-{n}")[0].ambush for n in range(200))
