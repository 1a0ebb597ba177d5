"""What cannot be taken for granted is asked first: the page that says what will happen, with a button to go on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.errors import ContestError, SettingsError
from spielleiter.game import Text
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import act_and_redirect, field
from spielleiter.web.season.rendering import respond_in_contest

_SURE = "sure"
_MAX_FIELD = 2000


async def ask_and_act(
    request: Request,
    consequences: Callable[[], Awaitable[Text | Sequence[Text]]],
    act: Callable[[], Awaitable[Text]],
    back: str,
    *,
    can_undo: bool = True,
    fields: Mapping[str, str] | None = None,
) -> Response:
    """Show ``consequences``, and ``act`` once the same form comes back confirmed; then go ``back``.

    ``fields`` are those that come back, if they are others than those of the form, as for a file.
    """
    if await field(request, _SURE) == "yes":
        return await act_and_redirect(request, act, back)
    try:
        found = await consequences()
    except (ContestError, SettingsError) as problem:
        contest_app_of(request).add_note(request.state.browser, Note(problem.text, good=False))
        return RedirectResponse(back, 303)
    if fields is None:
        form = await request.form()
        fields = {
            name: value[:_MAX_FIELD] for name, value in form.items() if isinstance(value, str) and name != "token"
        }
    return respond_in_contest(
        request,
        "organisers/confirm.html",
        sentences=[found] if isinstance(found, Text) else found,
        fields={**fields, _SURE: "yes"},
        back=back,
        can_undo=can_undo,
    )
