"""What happens by itself, and how often."""

from dataclasses import dataclass

from app.settings import AppSettings, DispatchSettings, RetentionSettings


@dataclass(frozen=True, slots=True)
class Tick:
    """A job that runs every so many seconds, in one worker, without passing through the broker.

    A run that returns ``False`` found nothing to do: while this worker has no other work, the next
    one comes after ``at_rest`` seconds.
    """

    name: str
    every: float
    job: str
    at_rest: float = 0.0


def configured_ticks() -> list[Tick]:
    """The ticks of this application."""
    settings = DispatchSettings()
    sweep = settings.sweep_every
    ticks = [
        Tick("sweep_items", sweep, "app.jobs.sweep_items:SweepItems", at_rest=2 * sweep),
        Tick("poll_twilio", settings.poll_every, "app.jobs.poll_twilio:PollTwilio"),
        Tick("timeout_sms", settings.timeout_every, "app.jobs.timeout_sms:TimeoutSms"),
    ]
    ticks += retention_ticks(RetentionSettings())
    if not AppSettings().production:
        play = "app.jobs.play_sandbox:PlaySandbox"
        ticks.append(Tick("play_sandbox", 1.0, play, at_rest=10.0))
    return ticks


def retention_ticks(settings: RetentionSettings) -> list[Tick]:
    """Clean-up; of files only where a setting lets them go."""
    prune = Tick("prune_history", 60.0, "app.jobs.prune_history:PruneHistory", at_rest=600.0)
    if settings.max_files_age_in_seconds is None:
        return [prune]
    every = settings.clean_every
    clean = "app.jobs.prune_attachments:PruneAttachments"
    return [prune, Tick("prune_attachments", every, clean, at_rest=2 * every)]
