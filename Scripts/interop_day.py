"""A day at two desks against a FHIR server that was written by others, for Scripts/interop.

usage: interop_day.py PROGRAMS SERVER FOLDER

After every act, each record of the store is compared with the server's, element by element and numbers by their
spelling. Exit status 1 for any difference that is not a known deviation of that server.
"""

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from interop_sequences import Front, Sequences

PULLED = ["Practitioner", "Location", "Patient", "Appointment", "Observation"]
LOADED = ["Organization", "Practitioner", "PractitionerRole", "Location", "Patient", "Appointment", "Observation"]


class Number(str):
    """A JSON number in the spelling in which it was written."""


def parse(text):
    return json.loads(text, parse_float=Number, parse_int=Number)


def differences(ours, theirs, path=""):
    """Yields the path and both values of every difference."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted(ours.keys() | theirs.keys()):
            yield from differences(ours.get(name), theirs.get(name), f"{path}.{name}".lstrip("."))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs)):
            yield from differences(one, other, f"{path}[{index}]")
    elif ours != theirs or isinstance(ours, Number) != isinstance(theirs, Number):
        yield path, ours, theirs


def is_known(ours, theirs):
    """Numbers go through binary floats there: 72.50 comes back as 72.5."""
    return isinstance(ours, Number) and isinstance(theirs, Number) and float(ours) == float(theirs)


def free_port():
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Relay:
    """Stands before the server: keeps what was sent, byte for byte, and can hide that clients may choose ids."""

    def __init__(self, target):
        self.port, self.target = free_port(), target
        self.hides_update_create = False
        self.sent = []
        self.server = None

    def start(self):
        relay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                relay.sent.append((self.command, self.path, body, self.headers.get("If-Match")))
                with closing(http.client.HTTPConnection("127.0.0.1", relay.target, timeout=30)) as onward:
                    onward.request(self.command, self.path, body or None, dict(self.headers))
                    answer = onward.getresponse()
                    content = answer.read()
                if relay.hides_update_create and self.path.endswith("/metadata"):
                    content = content.replace(b'"updateCreate":true', b'"updateCreate":false')
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in {"content-length", "transfer-encoding", "connection", "server", "date"}:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = forward

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that dies in the middle is part of the day."""

        self.server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None


class Peer:
    """The other server, as a process that can be taken away, behind a relay that keeps what was sent and one that loses answers."""

    def __init__(self, program, folder, programs):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.port = free_port()
        self.relay = Relay(self.port)
        self.front = Front(os.path.join(programs, "clinic-mock-server"), f"http://127.0.0.1:{self.relay.port}/fhir")
        self.base = self.front.base
        self.process = None

    def start(self, validation="strict"):
        settings = os.path.join(self.folder, "settings.yaml")
        with open(settings, "w") as file:
            file.write(
                f"base_url: {self.base}\nhost: 127.0.0.1\nport: {self.port}\n"
                f"data_dir: {os.path.join(self.folder, 'data')}\nsimulator: {{enabled: false}}\n"
                f"validation: {{inbound: '{validation}'}}\nlog_inbound: false\n"
            )
        with open(os.path.join(self.folder, "server.log"), "a") as log:
            self.process = subprocess.Popen(
                [self.program, "serve"], env=os.environ | {"SEKMET_CONFIG": settings}, stdout=log, stderr=log,
                cwd=self.folder,
            )
        for _ in range(300):
            try:
                self.read("metadata")
                self.relay.start()
                return self.front.up()
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        with open(os.path.join(self.folder, "server.log")) as log:
            raise Unexpected(f"the server did not start\n{log.read()}")

    def stop(self):
        self.front.down()
        self.relay.stop()
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def send(self, method, path, document=None):
        body = None if document is None else spelled(document).encode()
        headers = {"Content-Type": "application/fhir+json", "Accept": "application/fhir+json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/fhir/{path}", data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return parse(answer.read() or b"null")

    def read(self, path):
        return self.send("GET", path)

    def change(self, path, edit):
        """Edits a record as another program would."""
        document = self.read(path)
        edit(document)
        self.send("PUT", path, document)

    def all(self, kind):
        """Every record of a type, by id."""
        found, offset = {}, 0
        while True:
            entries = self.read(f"{kind}?_count=200&_offset={offset}").get("entry", [])
            found |= {entry["resource"]["id"]: entry["resource"] for entry in entries}
            if len(entries) < 200:
                return found
            offset += 200

    def versions(self, path):
        return len(self.read(f"{path}/_history?_count=100")["entry"])


def spelled(value):
    """JSON text that keeps the spelling of numbers."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{spelled(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    return json.dumps(value)


class Desk:
    """A place where clinic is used, with a store of its own."""

    def __init__(self, programs, folder, server):
        self.program = os.path.join(programs, "clinic")
        self.home = folder
        self.environment = os.environ | {"CLINIC_HOME": self.home, "CLINIC_SERVER": server, "CLINIC_ZONE": "Europe/London"}
        self.environment.pop("CLINIC_TOKEN_FILE", None)

    def line(self, *words, status=0, **environment):
        """Runs one line, and returns its records."""
        done = subprocess.run(
            [self.program, "--json", *words], env=self.environment | environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120,
        )
        if done.returncode != status:
            raise Unexpected(f"clinic {' '.join(words)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
        return [parse(line) for line in done.stdout.splitlines()]

    def stopped(self, words, after=None, **environment):
        """Runs one line that Ctrl-C stops, at a fail point or after so many seconds; whether the write was acknowledged."""
        line = subprocess.Popen(
            [self.program, *words], env=self.environment | environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        if after is not None:
            time.sleep(after)
            line.send_signal(signal.SIGINT)
        output, errors = line.communicate(timeout=120)
        # One that has not come to its own handling of the signal dies of it; then nothing can have been written.
        if line.returncode not in (0, 130, -signal.SIGINT):
            raise Unexpected(f"clinic {' '.join(words)}: status {line.returncode}\n{output}{errors}")
        return "saved here" in output

    def keys(self):
        """What the store holds. No line lists everything, so this looks into the file."""
        path = os.path.join(self.home, "stores", "clinic", "clinic.sqlite")
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
            return set(store.execute("SELECT type, id FROM resource WHERE state <> 2"))

    def documents(self):
        """Base and view of every record, as `why` tells them."""
        keys = sorted(self.keys())
        script = os.path.join(self.home, "why.clinic")
        with open(script, "w") as file:
            file.writelines(f"why {kind}/{name}\n" for kind, name in keys)
        return {
            (record["type"], record["id"]): (parse(record["base"] or "null"), parse(record["view"] or "null"))
            for record in self.line("run", script)
            if record["kind"] == "explanation"
        }


class Unexpected(Exception):
    """Something happened that should not have."""


class Day:
    def __init__(self, programs, program, folder):
        self.programs, self.folder = os.path.abspath(programs), os.path.abspath(folder)
        self.peer = Peer(program, self.folder, self.programs)
        self.desk = self.another("desk")
        self.faults, self.known, self.compared = [], 0, 0

    def expect(self, what, ours, wanted):
        mark = "ok  " if ours == wanted else "FAIL"
        print(f"  {mark} {what}" + ("" if ours == wanted else f": {ours!r}, not {wanted!r}"), flush=True)
        if ours != wanted:
            self.faults.append(what)

    def compare(self, desk, in_review=(), is_partial=False):
        """Holds every record of a store against the server's; of a desk that has selected, only those that it has."""
        held = desk.documents()
        served = {(kind, name): record for kind in PULLED for name, record in self.peer.all(kind).items()}
        missing = [] if is_partial else served.keys() - held.keys()
        found = [f"{kind}/{name} is not in the store" for kind, name in missing]
        for key in held.keys() - served.keys() - set(in_review):
            found.append(f"{key[0]}/{key[1]} is not at the server")
        for key in held.keys() & served.keys():
            base, view = held[key]
            pairs = [("base", base, served[key])]
            if key not in in_review:
                pairs.append(("view", view or base, served[key]))
            for which, ours, theirs in pairs:
                self.compared += 1
                for path, mine, other in differences(ours, theirs):
                    if is_known(mine, other):
                        self.known += 1
                    else:
                        found.append(f"{key[0]}/{key[1]} {which} {path}: {mine!r}, server {other!r}")
        for line in found:
            print(f"       {line}")
        self.expect(f"{len(held)} records of the store are the server's", len(found), 0)

    def another(self, name):
        """A desk that was never here."""
        return Desk(self.programs, os.path.join(self.folder, name), self.peer.base)

    def act(self, text):
        print(text, flush=True)

    def load(self):
        """Fills the server with a seeded clinic, one record of it with an element that no standard knows."""
        mock = subprocess.Popen(
            [os.path.join(self.programs, "clinic-mock-server"), "--seed", "16"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )
        try:
            source = mock.stdout.readline().split()[-1]
            count = 0
            for kind in LOADED:
                with urllib.request.urlopen(f"{source}/{kind}?_count=1000") as answer:
                    for entry in parse(answer.read()).get("entry", []):
                        record = entry["resource"]
                        record.pop("meta", None)
                        if record["id"] == "patient-0008":
                            record["favouriteColour"] = "blue"
                        self.peer.send("PUT", f"{kind}/{record['id']}", record)
                        count += 1
            print(f"  {count} records")
        finally:
            mock.terminate()
            mock.wait()

    def run(self):
        try:
            self.play()
        finally:
            self.peer.stop()
            self.peer.front.stop()
        print(
            f"{self.compared} documents compared; {self.known} known deviations (numbers that lose zeros there); "
            f"{len(self.faults)} expectations failed"
        )
        return 1 if self.faults else 0

    def play(self):
        desk, peer = self.desk, self.peer
        self.act("The server is filled, then judges what it is given; the first sync fetches everything")
        peer.start(validation="off")
        self.load()
        peer.stop()
        peer.start()
        desk.line("sync")
        self.compare(desk)

        self.act("The server is gone: everything is written all the same")
        appointment, observation, doomed = self.choose()
        peer.stop()
        made = [
            ("Patient", desk.line("patients", "register", "--family", "Okafor", "--given", "Chidi", "--birth", "1988-04-12",
                                  "--identifier", "urn:clinic:mrn|MRN-0909")[0]["id"]),
            ("Appointment", desk.line("appointments", "book", "MRN-0909", "tomorrow", "19:30", "20min",
                                      "--practitioner", "P0001")[0]["id"]),
        ]
        vitals = desk.line("vitals", "add", "pulse", "72", "bp", "120/80", "weight", "72.50kg", "--patient", "MRN-0909")[0]
        made += [("Observation", each["id"]) for each in vitals["observations"]]
        desk.line("patients", "edit", "patient-0001", "--phone", "020 7946 0001")
        desk.line("patients", "edit", "patient-0002", "--phone", "020 7946 0002")
        desk.line("patients", "edit", "patient-0004", "--email", "four@example.org")
        desk.line("patients", "edit", "patient-0008", "--phone", "020 7946 0008")
        desk.line("appointments", "cancel", appointment, "--reason", "patient called", "--yes")
        desk.line("vitals", "note", observation, "--text", "after climbing stairs")
        self.expect("all of it is unsent", len(desk.line("outbox")), 11)
        desk.line("sync", status=4)
        self.expect("a sync without a server loses nothing", len(desk.line("outbox")), 11)

        self.act("The server is back, and was used by others meanwhile")
        peer.start()
        peer.change("Patient/patient-0001", lambda it: it.update(address=[{"city": "Elsewhere"}]))
        peer.change("Patient/patient-0002", lambda it: it.update(telecom=[{"system": "phone", "value": "555 7777"}]))
        peer.change("Patient/patient-0005", lambda it: it.update(birthDate="1990-02"))
        peer.send("DELETE", "Patient/patient-0004")
        peer.send("DELETE", f"Observation/{doomed}")
        stranger = peer.send("POST", "Patient", {"resourceType": "Patient", "name": [{"text": "Walked in"}]})["id"]
        desk.line("sync", status=3)
        items = {item["id"]: item for item in desk.line("review")}
        self.expect(
            "what needs a person is exactly that", {name: item["trouble"] for name, item in items.items()},
            {"patient-0002": "conflict", "patient-0004": "deleted-remotely", "patient-0008": "refusal"},
        )
        for kind, name in made:
            self.expect(f"a new {kind} reached the server once", peer.versions(f"{kind}/{name}"), 1)
        weight = peer.read("Observation/" + made[-1][1])["valueQuantity"]["value"]
        self.known += weight != "72.50"
        self.expect("a weight is the same number there", is_known(weight, Number("72.50")), True)
        sent = [body for method, _, body, _ in peer.relay.sent if method != "GET" and made[-1][1].encode() in body]
        self.expect("and left here in its spelling, once", [b'"value":72.50,' in body for body in sent], [True])
        merged = peer.read("Patient/patient-0001")
        self.expect("edits of different elements are merged", merged["address"], [{"city": "Elsewhere"}])
        self.expect("and ours is there", "020 7946 0001" in spelled(merged), True)
        self.expect("what others made has arrived", ("Patient", stranger) in desk.keys(), True)
        self.expect("what others deleted is gone", ("Observation", doomed) in desk.keys(), False)
        self.compare(desk, in_review={("Patient", name) for name in items})

        self.act("A person decides")
        for name, choice in [
            ("patient-0002", ["--keep", "mine"]), ("patient-0004", ["--discard", "--yes"]),
            ("patient-0008", ["--discard", "--yes"]),
        ]:
            if name in items:
                desk.line("review", items[name]["number"], *choice)
        desk.line("sync")
        self.expect("nothing is unsent", desk.line("outbox"), [])
        self.expect("the decision is at the server", "020 7946 0002" in spelled(peer.read("Patient/patient-0002")), True)
        self.compare(desk)

        self.act("The client dies with a claim, and with an answer in its hands")
        points = ["claim.committed:1"]
        points += [f"{name}:{passage}" for name in ["send.answered", "settle.before-commit"] for passage in "12"]
        for point in points:
            pulse = desk.line("vitals", "add", "pulse", "80", "--patient", "patient-0003")[0]["id"]
            before = peer.versions("Patient/patient-0007")
            desk.line("patients", "edit", "patient-0007", "--phone", f"555 {before}")
            desk.line("sync", status=-signal.SIGKILL, CLINIC_FAIL_POINT=point)
            desk.line("sync")
            self.expect(f"{point}: a create arrived once", peer.versions(f"Observation/{pulse}"), 1)
            self.expect(f"{point}: an update arrived once", peer.versions("Patient/patient-0007"), before + 1)
        self.compare(desk)

        self.act("A desk that was never here fetches the same")
        second = self.another("second")
        second.line("sync")
        self.compare(second)

        self.act("Others move, delete and edit behind the desk's back, more than a page of it")
        booked = [each for each in sorted(peer.all("Appointment").items()) if each[1]["status"] == "booked"]
        (moved, record), (dropped, _) = booked[0], booked[-1]
        old, new = record["start"][:10], "2031-03-04"
        peer.change(f"Appointment/{moved}", lambda it: it.update(start=f"{new}T10:00:00Z", end=f"{new}T10:20:00Z"))
        peer.send("DELETE", f"Appointment/{dropped}")
        peer.change("Patient/patient-0006", lambda it: it.update(birthDate="1970"))
        for number in range(230):
            name = {"family": "Crowd", "given": [f"Number{number}"]}
            peer.send("PUT", f"Patient/crowd-{number}", {"resourceType": "Patient", "id": f"crowd-{number}", "name": [name]})
        desk.line("sync")
        days = [[it.get("id") for it in desk.line("schedule", day)] for day in (old, new)]
        self.expect("a moved appointment is on its new day only", [moved in day for day in days], [False, True])
        self.expect("a deleted one is gone", ("Appointment", dropped) in desk.keys(), False)
        crowd = [name for kind, name in desk.keys() if kind == "Patient" and name.startswith("crowd-")]
        self.expect("all of a crowd has arrived", len(crowd), 230)
        self.compare(desk)

        self.act("A desk that selects what it needs has that, and nothing that the server has otherwise")
        practitioner = next(
            part["actor"]["reference"].split("/")[1] for part in record["participant"]
            if part["actor"]["reference"].startswith("Practitioner/")
        )
        small = Desk(self.programs, os.path.join(self.folder, "small"), peer.base)
        os.makedirs(small.home)
        with open(os.path.join(small.home, "clinic.json"), "w") as file:
            json.dump({"pull": {"practitioners": [practitioner], "patients": ["patient-0003"]}}, file)
        small.line("sync")
        self.expect("its patient is there", ("Patient", "patient-0003") in small.keys(), True)
        self.expect("the crowd is not", any(name.startswith("crowd-") for _, name in small.keys()), False)
        self.expect("a day far off is fetched when asked for",
                    moved in [it.get("id") for it in small.line("schedule", new, "--fresh")], True)
        self.expect("and someone outside when opened",
                    small.line("patients", "show", "crowd-7", "--fresh")[0]["name"], "Crowd, Number7")
        self.compare(small, is_partial=True)

        self.act("The server chooses the ids: a desk registers, books and measures, and dies with the first answer")
        peer.relay.hides_update_create = True
        third = self.another("third")
        third.line("sync")
        patient = third.line("patients", "register", "--family", "Solo", "--birth", "1951")[0]["id"]
        third.line("appointments", "book", patient, "tomorrow", "20:00", "20min", "--practitioner", "P0002")
        third.line("vitals", "add", "temp", "37.10C", "--patient", patient)
        third.line("sync", status=-signal.SIGKILL, CLINIC_FAIL_POINT="send.answered")
        third.line("sync")
        there = [record["id"] for record in peer.all("Patient").values() if "Solo" in spelled(record.get("name", []))]
        self.expect("one patient was made, under the server's id", (len(there), patient in there), (1, False))
        for kind, element in [("Appointment", "participant"), ("Observation", "subject")]:
            found = [each for each in peer.all(kind).values() if f"Patient/{there[0]}" in spelled(each.get(element, {}))]
            self.expect(f"one {kind} refers to that id", len(found), 1)
        self.expect("the old id still finds the patient", third.line("patients", "show", patient)[0]["kind"], "patient")
        self.compare(third)
        peer.relay.hides_update_create = False

        desk.line("sync")
        Sequences(self).play()

    def choose(self):
        """A booked appointment, an observation to annotate, and one that others will delete."""
        booked = next(
            name for name, record in sorted(self.peer.all("Appointment").items()) if record["status"] == "booked"
        )
        observations = sorted(self.peer.all("Observation"))
        return booked, observations[0], observations[-1]


if __name__ == "__main__":
    try:
        sys.exit(Day(*sys.argv[1:]).run())
    except Unexpected as unexpected:
        print(f"  FAIL {unexpected}")
        sys.exit(1)
