"""What all tests share: hypothesis is deterministic, so that a red run can be repeated."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
settings.load_profile("house")

pytest_plugins = ("tests.support.databases",)
