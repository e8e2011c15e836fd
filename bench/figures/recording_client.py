"""The floor of what a kill costs: a client that sends requests, records each response in SQLite, and does nothing else.

    python recording_client.py BASE_URL DATABASE REQUESTS IN_FLIGHT KEY

Started again, it sends the requests without a recorded response.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys

import aiohttp


async def record_responses(base_url: str, database: str, requests: int, in_flight: int, key: str) -> None:
    """Sends all requests whose responses are not recorded, and commits each response as it comes."""
    with sqlite3.connect(database, isolation_level=None) as rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.execute("CREATE TABLE IF NOT EXISTS responses (number INTEGER PRIMARY KEY, body BLOB)")
        recorded = {number for (number,) in rows.execute("SELECT number FROM responses")}
        places = asyncio.Semaphore(in_flight)
        headers = {"Authorization": f"Bearer {key}"}
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight), headers=headers) as session:

            async def send(number: int) -> None:
                body = {"model": "scripted", "messages": [{"role": "user", "content": f"Question {number}"}]}
                async with places, session.post(f"{base_url}/chat/completions", json=body) as response:
                    rows.execute("INSERT INTO responses VALUES (?, ?)", (number, await response.read()))

            async with asyncio.TaskGroup() as group:
                for number in set(range(requests)) - recorded:
                    group.create_task(send(number))


if __name__ == "__main__":
    asyncio.run(record_responses(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]))
