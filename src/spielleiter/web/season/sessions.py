"""The cookies of people who are logged in, and of visitors whose forms need a token.

Law: logging in makes a new session, whatever cookie came.
"""

from __future__ import annotations

from starlette.responses import Response

from spielleiter.contest.accounts import accounts

SESSION_COOKIE = "spielleiter-session"
VISIT_COOKIE = "spielleiter-visit"
"""Names a browser that is not logged in."""
DEVICE_COOKIE = "spielleiter-device"
"""Names a browser that was logged in before: people who guess passwords cannot lock it out."""
_DEVICE_SECONDS = 365 * 86400
LOGIN = "/contest/login"


def logged_in(response: Response, cookie: str, device: str) -> Response:
    """The response with the cookies of a session and of its browser; the one of the visit goes."""
    set_cookie(response, SESSION_COOKIE, cookie, int(accounts.SESSION.total_seconds()))
    set_cookie(response, DEVICE_COOKIE, device, _DEVICE_SECONDS)
    response.delete_cookie(VISIT_COOKIE, path="/")
    return response


def logged_out(response: Response) -> Response:
    """The response that takes the cookie away; the browser stays a known one."""
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax")
    return response


def set_cookie(response: Response, name: str, value: str, seconds: int | None) -> None:
    """Add a cookie that scripts cannot read."""
    response.set_cookie(name, value, max_age=seconds, path="/", httponly=True, samesite="lax")
