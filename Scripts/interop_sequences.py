"""Lost answers and lines that are stopped, against a FHIR server that was written by others: for interop_day.py.

Every answer is lost by `clinic-mock-server relay`, which stands before the server: the server has done what it was asked
to, and the client cannot know.
"""

import json
import signal
import subprocess
import threading
import time
import urllib.request


class Front:
    """The relay as a process: the address that the desks know."""

    def __init__(self, program, target):
        self.process = subprocess.Popen([program, "relay", "--to", target], stdout=subprocess.PIPE, text=True)
        self.base = self.process.stdout.readline().split()[-1]
        self.control = self.process.stdout.readline().split()[-1]

    def tell(self, method, path, document=None):
        body = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(self.control + path, data=body, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()

    def rule(self, **rule):
        self.tell("POST", "/rules", rule)

    def down(self):
        self.tell("POST", "/down")

    def up(self):
        self.tell("DELETE", "/rules")
        self.tell("POST", "/up")

    def exchanges(self):
        return [json.loads(line) for line in self.tell("GET", "/exchanges").splitlines()]

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def lose(self, method, path):
        """Lets the server take the next such request; then the network is gone, before its answer."""
        before = len(self.exchanges())
        self.rule(method=method, path=path, effect="holdAnswer", milliseconds=25_000)

        def cut():
            for _ in range(1_000):
                if any("effect" in each and "status" in each for each in self.exchanges()[before:]):
                    break
                time.sleep(0.02)
            self.down()

        waiting = threading.Thread(target=cut)
        waiting.start()
        return waiting


class Sequences:
    """What must come out right however answers are lost. `day` has the server, the desk, and what was expected."""

    def __init__(self, day):
        self.day, self.peer, self.desk, self.front = day, day.peer, day.desk, day.peer.front

    def play(self):
        self.moved_base()
        self.two_edits()
        self.correction()
        self.lost_answers()
        self.lost_create()
        self.interrupted()

    def phones(self, name):
        return [each["value"] for each in self.peer.read(f"Patient/{name}").get("telecom", []) if each["system"] == "phone"]

    def change_phone(self, name, value):
        def edit(patient):
            next(each for each in patient["telecom"] if each["system"] == "phone")["value"] = value

        self.peer.change(f"Patient/{name}", edit)

    def lose(self, desk, method, path):
        """Runs a sync whose write arrives, and whose answer does not."""
        waiting = self.front.lose(method, path)
        desk.line("sync", status=4)
        waiting.join()
        self.front.up()

    def moved_base(self):
        day, desk = self.day, self.desk
        day.act("A pull brings what others did to a record that is edited here")
        for name in ["patient-0010", "patient-0011"]:
            desk.line("patients", "edit", name, "--phone", "555 1000")
        desk.line("sync")
        for name in ["patient-0010", "patient-0011"]:
            desk.line("patients", "edit", name, "--phone", "555 2000")
        self.change_phone("patient-0010", "555 3000")
        self.peer.change("Patient/patient-0011", lambda it: it.update(address=[{"city": "Newtown"}]))
        desk.line("sync", "--no-push", status=3)
        day.expect("the same element: a person is asked", [each["id"] for each in desk.line("review")], ["patient-0010"])
        self.peer.relay.sent.clear()
        desk.line("sync", status=3)
        sent = [(path, tag) for method, path, _, tag in self.peer.relay.sent if method == "PUT"]
        version = self.peer.read("Patient/patient-0011/_history?_count=100")["entry"][1]["resource"]["meta"]["versionId"]
        day.expect("theirs is not overwritten", self.phones("patient-0010"), ["555 3000"])
        day.expect("another element: merged, and sent on what was merged with",
                   sent, [("/fhir/Patient/patient-0011", f'W/"{version}"')])
        day.expect("both changes are at the server",
                   (self.phones("patient-0011"), self.peer.read("Patient/patient-0011")["address"]),
                   (["555 2000"], [{"city": "Newtown"}]))
        desk.line("review", desk.line("review")[0]["number"], "--keep", "theirs", "--yes")
        desk.line("sync")
        day.compare(desk)

    def two_edits(self):
        day, desk = self.day, self.desk
        day.act("A second edit is made while the answer to the first is lost")
        before = self.peer.versions("Patient/patient-0012")
        desk.line("patients", "edit", "patient-0012", "--phone", "555 1200")
        self.lose(desk, "PUT", "Patient/patient-0012")
        desk.line("patients", "edit", "patient-0012", "--phone", "555 1201")
        day.expect("they are two entries", len(desk.line("outbox")), 2)
        desk.line("sync")
        day.expect("each arrived once, without a conflict",
                   (self.peer.versions("Patient/patient-0012") - before, self.phones("patient-0012"), desk.line("review")),
                   (2, ["555 1201"], []))
        day.compare(desk)

    def correction(self):
        day, desk = self.day, self.desk
        day.act("The answer to our update is lost, and somebody puts the old value back")
        desk.line("patients", "edit", "patient-0013", "--phone", "555 1300")
        desk.line("sync")
        desk.line("patients", "edit", "patient-0013", "--phone", "555 1301")
        self.lose(desk, "PUT", "Patient/patient-0013")
        day.expect("it had arrived", self.phones("patient-0013"), ["555 1301"])
        self.change_phone("patient-0013", "555 1300")
        desk.line("sync", status=3)
        day.expect("their correction stands", self.phones("patient-0013"), ["555 1300"])
        items = desk.line("review")
        day.expect("and a person is asked", [each["id"] for each in items], ["patient-0013"])
        desk.line("review", items[0]["number"], "--keep", "theirs", "--yes")
        desk.line("sync")
        day.compare(desk)

    def lost_answers(self):
        day, desk = self.day, self.desk
        day.act("Answers are swallowed, reset and cut in one sync, which finds out by itself")
        effects = [
            {"effect": "swallowAnswer"}, {"effect": "resetAnswer"}, {"effect": "truncateAnswer", "bytes": 40},
            {"effect": "truncateAnswer", "bytes": 400}, {"effect": "cutRequest", "bytes": 300}, {"effect": "resetRequest"},
        ]
        for number, effect in enumerate(effects):
            before = self.peer.versions("Patient/patient-0014")
            desk.line("patients", "edit", "patient-0014", "--phone", f"555 14{number:02}")
            pulse = desk.line("vitals", "add", "pulse", str(70 + number), "--patient", "patient-0014")[0]["id"]
            for path in ["Patient/patient-0014", "Observation"]:
                self.front.rule(method="PUT", path=path, **effect)
            desk.line("sync")
            day.expect(f"{effect['effect']}: an update and a create arrived once",
                       (self.peer.versions("Patient/patient-0014") - before, self.peer.versions(f"Observation/{pulse}")), (1, 1))
        day.compare(desk)

    def lost_create(self):
        day = self.day
        day.act("The answer to a create is lost where the server chooses the ids, a pull brings the record, and it is edited")
        self.peer.relay.hides_update_create = True
        desk = day.another("fourth")
        desk.line("sync")
        patient = desk.line("patients", "register", "--family", "Verloren", "--birth", "1960")[0]["id"]
        self.lose(desk, "POST", "/Patient")
        desk.line("sync", "--no-push")
        desk.line("patients", "edit", patient, "--phone", "555 1500")
        desk.line("sync")
        there = [name for name, record in self.peer.all("Patient").items() if "Verloren" in json.dumps(record)]
        day.expect("one record is at the server", len(there), 1)
        day.expect("with the edit", self.phones(there[0]), ["555 1500"])
        found = [each["id"] for each in desk.line("patients", "search", "Verloren") if each["kind"] == "patient"]
        day.expect("and it is the one in the store", found, there)
        day.expect("nothing is unsent", desk.line("outbox"), [])
        day.compare(desk)
        self.peer.relay.hides_update_create = False

    def interrupted(self):
        day, desk = self.day, self.desk
        day.act("Ctrl-C at each point of a write")
        acknowledged, pulse = [], 100
        points = ["write.begun", "write.resource-stored", "write.enqueued", "write.committed"]
        for point in points:
            pulse += 1
            words = ["vitals", "add", "pulse", str(pulse), "--patient", "patient-0015"]
            found = desk.stopped(words, CLINIC_FAIL_POINT=point, CLINIC_FAIL_SIGNAL=str(int(signal.SIGINT)))
            acknowledged += [pulse] if found else []
        began = time.monotonic()
        desk.line("vitals", "show", "--patient", "patient-0015")
        whole = time.monotonic() - began
        for step in range(24):
            pulse += 1
            words = ["vitals", "add", "pulse", str(pulse), "--patient", "patient-0015"]
            found = desk.stopped(words, after=whole * (0.3 + step / 24))
            acknowledged += [pulse] if found else []
        desk.line("sync")
        there = sorted(
            int(each["valueQuantity"]["value"]) for each in self.peer.all("Observation").values()
            if each["subject"]["reference"] == "Patient/patient-0015" and int(float(each.get("valueQuantity", {"value": 0})["value"])) > 100
        )
        day.expect(f"what was acknowledged, {len(acknowledged)} of {len(points) + 24}, is there, and nothing else", there, acknowledged)
        day.compare(desk)
