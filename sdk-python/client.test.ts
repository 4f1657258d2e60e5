import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestApp } from '../server/tests/support/test-app.ts'

const run = promisify(execFile)
const hasPython = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']).then(
  () => true,
  () => false,
)

/** Program of the README, and then whatever else the client promises. */
const PROGRAM = `
import base64, hashlib, hmac, io, json, sys, time
from docent import DocentError, Options, unwrap

def code_of(act):
    try:
        act()
    except DocentError as error:
        return f"{error.status} {error.code}"

unread = docent.knowledge_bases.create({"knowledge_base_name": "Unread"})["id"]
docent.data_sources.add_document(unread, {"file_id": docent.uploaded_files.create(b"%PDF-1.7 cut", name="cut.pdf"), "data_source_title": "cut.pdf"})
became = docent.knowledge_bases.wait_until_indexed(unread)
never = code_of(lambda: docent.knowledge_bases.wait_until_indexed("0" * 24))
docent.data_sources.add_document(unread, {"file_id": docent.uploaded_files.create(b"a" * 1000, name="later.txt"), "data_source_title": "later.txt"})
early = code_of(lambda: docent.knowledge_bases.wait_until_indexed(unread, timeout=0))
names = [docent.agents.create({"name": f"Agent {number}"})["name"] for number in range(5)]
listed = [one["name"] for one in docent.agents.list(page_size=2)]
pages = len(list(docent.agents.list(page_size=2).pages()))
progress = []
by_bytes = docent.uploaded_files.create(b"clay" * 50_000, name="clay \\"1\\".txt", on_progress=lambda *told: progress.append(told))
opened = io.BytesIO(b"skipped, not skipped"); opened.seek(9)
by_file = docent.uploaded_files.create(opened, name="clay.txt")
def refusal_of(path):
    try:
        docent.uploaded_files.create(path)
    except OSError as error:
        return type(error).__name__
refusals = [refusal_of("missing.txt"), refusal_of(".")]
asked = docent.chats.queries.create(agent["id"], chat["id"], {"query": "Again?"})
again = docent.chats.messages if hasattr(docent.chats, "messages") else docent.messages
events = [event["type"] for event in again.events(agent["id"], chat["id"], asked["message_id"])]
same = {"headers": {"idempotency-key": "once"}}
twice = {docent.agents.create({"name": "Once"}, options=Options(**same))["id"] for _ in range(2)}

secret = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes, so").decode()
def signed(body, at):
    content = f"id.{at}.{body}".encode()
    mac = base64.b64encode(hmac.new(b"a secret of thirty-two bytes, so", content, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "id", "webhook-timestamp": str(at), "webhook-signature": f"v2,x v1,{mac}"}
now = int(time.time())
body = json.dumps({"status": "success"})
event = json.dumps({"type": "data_source.indexed"})
other = "whsec_" + base64.b64encode(b"another").decode()
webhooks = [
    unwrap(body, signed(body, now), [other, secret])["status"],
    code_of(lambda: unwrap(body, signed(body, now), other)),
    code_of(lambda: unwrap(body + " ", signed(body, now), secret)),
    code_of(lambda: unwrap(body, signed(body, now - 301), secret)),
    code_of(lambda: unwrap(body, {}, secret)),
    code_of(lambda: unwrap(body, signed(body, now), "whsec_?")),
    code_of(lambda: unwrap(event, signed(event, now), secret)),
]
import http.server, threading
seen = []
class Elsewhere(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seen.append([self.path, self.headers["sec-fetch-mode"]])
        self.send_response(302)
        self.send_header("location", "http://localhost:1" + self.path)
        self.end_headers()
    log_message = lambda *_: None
elsewhere = http.server.HTTPServer(("127.0.0.1", 0), Elsewhere)
threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
def message_of(act):
    try:
        act()
    except DocentError as error:
        return f"{error.code} {error.message.partition(' redirects ')[2]}"
redirected = message_of(lambda: Docent(f"http://127.0.0.1:{elsewhere.server_port}", "key").me())
print(json.dumps({
    "all": sorted(listed[:]) == sorted(names + ["Potter"]), "pages": pages,
    "progress": progress[-1], "sent": [len(by_bytes), len(by_file)], "events": [events[0], events[-1]],
    "twice": len(twice), "webhooks": webhooks,
    "missing": code_of(lambda: docent.agents.get("0" * 24)),
    "indexed": [[file["title"] for file in files] for files in (became.successful, became.failed)] + [never, early],
    "refusals": refusals, "ids": [code_of(lambda: docent.agents.delete(id)) for id in ["", ".", ".."]],
    "redirected": [redirected, seen],
    "invalid": code_of(lambda: docent.agents.create({})),
    "away": code_of(lambda: Docent("http://127.0.0.1:9", max_retries=0).me()),
    "key": code_of(lambda: Docent(os.environ["DOCENT_URL"], "wrong").me()),
}))
`

test.skipIf(!hasPython)(
  'the Python client does what its README says, on Python 3.11 or later if it is there',
  async () => {
    const { url, owner } = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
    const folder = mkdtempSync(join(tmpdir(), 'docent-python-'))
    try {
      const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
      writeFileSync(join(folder, 'kiln.txt'), 'The kiln fires at 1240 degrees.')
      writeFileSync(join(folder, 'program.py'), /```python\n(.*?)```/s.exec(readme)![1]! + PROGRAM)
      const env = { ...process.env, PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' }
      const { stdout } = await run('python3', ['program.py'], {
        cwd: folder,
        env: { ...env, DOCENT_URL: url, DOCENT_API_KEY: owner.apiKey },
      })
      const lines = stdout.trim().split('\n')
      expect(lines).toEqual(expect.arrayContaining(['from kiln.txt', 'Kilns', 'success: And the glaze?']))
      expect(JSON.parse(lines.at(-1)!)).toEqual({
        all: true,
        pages: 3,
        progress: [200_000, 200_000],
        sent: [24, 24],
        events: ['metadata', 'end_response'],
        twice: 1,
        webhooks: [
          'success',
          ...Array(4).fill('0 WEBHOOK_SIGNATURE_INVALID'),
          '0 WEBHOOK_SECRET_INVALID',
          '0 WEBHOOK_KIND_UNEXPECTED',
        ],
        redirected: ['REDIRECTED to http://localhost:1: give that as base_url', [['/v1/me', 'cors']]],
        missing: '404 AGENT_NOT_FOUND',
        indexed: [[], ['cut.pdf'], '404 KNOWLEDGE_BASE_NOT_FOUND', '0 TIMEOUT'],
        refusals: ['FileNotFoundError', 'IsADirectoryError'],
        ids: Array(3).fill('0 INVALID_ID'),
        invalid: '400 VALIDATION_ERROR',
        away: '0 CONNECTION_FAILED',
        key: '401 UNAUTHORIZED',
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
