"""A worker runs what lies on RabbitMQ's queues as it does what lies on streams."""

from tests.worker.test_working import (
    test_job_in_progress_is_given_to_nobody_else,
    test_max_jobs_leaves_the_rest,
    test_message_lives_until_what_its_job_holds_has_ended,
    test_named_queue_survives_a_release,
    test_named_queue_survives_retries_to_the_dead_letter,
    test_plain_worker_consumes_all_queues,
    test_same_job_five_times_runs_once_at_a_time,
    test_urgent_jobs_go_first,
    test_worker_of_one_queue_leaves_the_others,
)

__all__ = [
    "test_job_in_progress_is_given_to_nobody_else",
    "test_max_jobs_leaves_the_rest",
    "test_message_lives_until_what_its_job_holds_has_ended",
    "test_named_queue_survives_a_release",
    "test_named_queue_survives_retries_to_the_dead_letter",
    "test_plain_worker_consumes_all_queues",
    "test_same_job_five_times_runs_once_at_a_time",
    "test_urgent_jobs_go_first",
    "test_worker_of_one_queue_leaves_the_others",
]
