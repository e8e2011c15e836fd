"""The ledger holds no key, whatever was answered, emitted or given to a run."""

from __future__ import annotations

import asyncio
import time

from novum.credentials.redaction import REDACTED, register_secrets
from novum.ledger import Call, Event, Ledger

KEY = "sk-of-the-ledger-0123456789"


def call(run_id):
    return Call(
        key="call-0123456789abcdef", run_id=run_id, prompt="p", prompt_version=1, prompt_digest="d", model="server:m",
        sample=0, settings="{}", messages=f'[["user", "{KEY}"]]', returns="str", answer=f"I was sent {KEY}.",
        reasoning=KEY, refusal=KEY,
    )  # fmt: skip


async def write(ledger):
    run = ledger.start_run("test", f"a title with {KEY}", {"option": {"deep": [KEY]}})
    await ledger.record(call(run.id))
    ledger.emit(Event(run_id=run.id, at=time.time(), kind="no-answer", step=f"step {KEY}", data={"raw": KEY}))
    await ledger.written()
    ledger.end_run(run.id, "failed", reason=f"refused {KEY}", result=f'{{"text": "{KEY}"}}')
    return run.id


def test_no_column_of_a_ledger_holds_a_known_key(tmp_path):
    register_secrets(KEY)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        run_id = asyncio.run(write(ledger))
        (stored,) = ledger.calls(run_id)
        assert (stored.answer, stored.key) == (f"I was sent {REDACTED}.", "call-0123456789abcdef")
        assert ledger.run(run_id).params == {"option": {"deep": [REDACTED]}}
        assert ledger.run(run_id).reason == f"refused {REDACTED}"
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_the_name_of_a_run_holds_no_key_in_any_case(tmp_path):
    key = "q8x7vkxw3mtby4"
    register_secrets(key)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        names = [ledger.start_run("test", f"graph {each} routing", {}).id for each in (key, key.upper())]
    assert not any(key in name for name in names)
    assert all("graph-redacted-routing" in name for name in names)
