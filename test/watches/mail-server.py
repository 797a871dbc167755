"""A mail server for tests: aiosmtpd (python3-aiosmtpd), which prints each mail as a line of JSON."""
import asyncio
import json
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller


class Printing:
    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        parts = {part.get_content_type(): part.get_content() for part in mail.walk() if not part.is_multipart()}
        headers = {name.lower(): str(value) for name, value in mail.items()}
        print(json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos, "headers": headers, "parts": parts}), flush=True)
        return "250 taken"


controller = Controller(Printing(), hostname="127.0.0.1", port=0)
# the controller asks itself whether it runs at the port that was asked for, so that a free one is found first
import socket

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    controller.port = free.getsockname()[1]
controller.start()
print(json.dumps({"port": controller.port}), flush=True)
asyncio.new_event_loop().run_forever()
