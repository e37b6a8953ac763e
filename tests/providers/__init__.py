import pytest

pytest.register_assert_rewrite("tests.providers.conformance", "tests.providers.conformance_traces")
