"""Plays a clinic's day, and judges every resource that it made or changed. Run by Scripts/validate.

usage: validate.py PROGRAMS FOLDER DEFINITIONS KEEP    (the last two may be empty)
"""

import contextlib
import datetime
import io
import json
import os
import re
import subprocess
import sys
import urllib.request
import zoneinfo
from collections import Counter

import fhirkit
from fhir.resources.R4B import get_fhir_model_class

PROGRAMS, FOLDER, DEFINITIONS, KEEP = sys.argv[1:5]

TYPES = [
    "Patient", "Practitioner", "Location", "Schedule", "Slot", "Appointment", "Encounter", "Observation", "Condition",
    "AllergyIntolerance", "MedicationRequest", "Immunization", "DocumentReference", "Provenance",
]


class Clinic:
    """The client, on a store and against a server of its own."""

    def __init__(self):
        self.server = subprocess.Popen(
            [f"{PROGRAMS}/clinic-mock-server", "--seed", "24", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.base = self.server.stdout.readline().strip().removeprefix("listening on ")
        home = f"{FOLDER}/home"
        os.makedirs(home)
        with open(f"{home}/clinic.json", "w") as profile:
            json.dump({"server": self.base, "zone": "Europe/London", "practitioner": "P0001"}, profile)
        self.environment = {**os.environ, "CLINIC_HOME": os.path.abspath(home)}

    def run(self, *words):
        """Runs a line, and gives its lines for programs."""
        done = subprocess.run(
            [f"{PROGRAMS}/clinic", *words, "--json", "--yes"], env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def plan(self, practitioner, days):
        """Puts a schedule of half hours from eight to eight, as whoever plans the clinic's time."""
        self.put({"resourceType": "Schedule", "id": "planned", "active": True,
                  "actor": [{"reference": f"Practitioner/{practitioner}"}]})
        zone = zoneinfo.ZoneInfo("Europe/London")
        for day in range(days):
            date = datetime.datetime.now(zone).date() + datetime.timedelta(days=day)
            for half in range(16, 40):
                start, end = (datetime.datetime.combine(date, datetime.time(n // 2, n % 2 * 30), zone) for n in (half, half + 1))
                self.put({"resourceType": "Slot", "id": f"planned-{day}-{half}", "status": "free",
                          "schedule": {"reference": "Schedule/planned"}, "start": start.isoformat(), "end": end.isoformat()})

    def put(self, resource):
        """Writes a resource behind the client's back."""
        request = urllib.request.Request(
            f"{self.base}/{resource['resourceType']}/{resource['id']}", json.dumps(resource).encode(),
            {"Content-Type": "application/fhir+json"}, method="PUT")
        urllib.request.urlopen(request).close()

    def resources(self):
        """Everything at the server, by type and id."""
        found = {}
        for kind in TYPES:
            url = f"{self.base}/{kind}?_count=200"
            while url:
                with urllib.request.urlopen(url) as answer:
                    bundle = json.load(answer)
                for entry in bundle.get("entry", []):
                    found[kind, entry["resource"]["id"]] = entry["resource"]
                url = next((link["url"] for link in bundle.get("link", []) if link["relation"] == "next"), None)
        return found


def later_states(clinic, written):
    """Leads what was written into the states that follow."""
    def of(kind, text=""):
        return [r["id"] for r in written.values() if r["resourceType"] == kind and text in json.dumps(r)]

    note, = of("DocumentReference", "RmVsbCBvbiB0aGUgbGVmdCBzaWRlL")
    clinic.run("notes", "edit", note, "Fell on the left hip.")
    clinic.run("notes", "sign", note)
    clinic.run("notes", "addendum", note, "X-ray shows nothing.")
    weight, = of("Observation", "72.57") or of("Observation", "\"value\": 160")
    clinic.run("vitals", "note", weight, "--text", "in shoes")
    clinic.run("vitals", "retract", weight)
    hip, = of("Condition", "Hip pain")
    clinic.run("problems", "resolve", hip)
    cough, = of("Condition", "Cough")
    clinic.run("problems", "retract", cough)
    ibuprofen, = of("MedicationRequest", "Ibuprofen")
    for state in ("hold", "resume", "stop"):
        clinic.run("medications", state, ibuprofen, *([] if state == "resume" else ["--reason", "rash"]))
    paracetamol, = of("MedicationRequest", "Paracetamol")
    clinic.run("medications", "retract", paracetamol)
    influenza, = of("Immunization", "Influenza")
    clinic.run("immunizations", "retract", influenza)
    penicillin, = of("AllergyIntolerance", "Penicillin")
    clinic.run("allergies", "refute", penicillin)
    none, = of("AllergyIntolerance", "716186003")
    clinic.run("allergies", "resolve", none)
    booked = sorted(of("Appointment", "MRN-7001") or of("Appointment", "Mia"))
    clinic.run("appointments", "move", booked[0], "+5d", "11:00")
    clinic.run("appointments", "cancel", booked[1], "--reason", "patient called")
    clinic.run("visits", "finish", "--patient", "MRN-7001")
    clinic.run("patients", "edit", "MRN-7001", "--deceased", "2026-11")


def judge(profiles):
    """A function that gives what is wrong with a resource."""
    stricter = {"custom.encounter.patient"}  # demands what R4 does not
    unseen = re.compile(r"\.[a-z].*\.\w+\[x\] is required$")  # does not find a choice inside an element

    def errors(resource):
        for issue in fhirkit.validate(json.dumps(resource)):
            if issue.severity == "error":
                yield "fhirkit", issue.path, issue.message
        try:
            get_fhir_model_class(resource["resourceType"]).model_validate(resource)
        except Exception as error:
            for each in error.errors() if hasattr(error, "errors") else [{"loc": [], "msg": str(error)}]:
                yield "fhir.resources", ".".join(map(str, each["loc"])), each["msg"]
        if profiles:
            with contextlib.redirect_stdout(io.StringIO()):
                report = profiles.validate_resource(resource)
            for issue in report.issues:
                if issue.severity.value == "error" and issue.code not in stricter and not unseen.search(issue.message):
                    yield "pyrofile", issue.path or "", f"{issue.code}: {issue.message}"

    return errors


def main():
    profiles = None
    if DEFINITIONS:
        from pyrofile_validator import Validator
        from pyrofile_validator.config import ValidatorConfig
        profiles = Validator(
            ValidatorConfig.load_dict({"localPackagePaths": [DEFINITIONS], "allowUnknownExtensions": True}))
    clinic = Clinic()
    try:
        practitioner, = [key[1] for key, resource in clinic.resources().items() if key[0] == "Practitioner"
                         and any(each["value"] == "P0001" for each in resource.get("identifier", []))] or ["P0001"]
        clinic.plan(practitioner, days=10)
        before = clinic.resources()
        clinic.run("sync")
        # After every step the server is looked at: a state that lasts for one step is judged too.
        states = {}

        def look():
            clinic.run("sync")
            for key, resource in clinic.resources().items():
                if resource != before.get(key):
                    states[key, resource["meta"]["versionId"]] = resource

        for role in ("reception", "nurse", "clinician"):
            clinic.run("run", f"Examples/{role}.clinic")
            look()
        clinic.run("run", "Tests/Fixtures/validate.clinic")
        look()
        written = {key: resource for (key, _), resource in states.items()}
        later_states(clinic, written)
        look()
    finally:
        clinic.server.terminate()
        clinic.server.wait()
    if not any(key[0] == "Appointment" and "slot" in resource for (key, _), resource in states.items()):
        sys.exit("no booking filled a slot of its time")
    errors, wrong, counts = judge(profiles), 0, Counter()
    for (key, version), resource in sorted(states.items()):
        counts[key[0]] += 1
        found = list(errors(resource))
        wrong += bool(found)
        for source, path, message in found:
            print(f"{key[0]}/{key[1]} version {version}: {source}: {path}: {message}")
        if KEEP:
            os.makedirs(KEEP, exist_ok=True)
            with open(f"{KEEP}/{key[0]}-{key[1]}-{version}.json", "w") as file:
                json.dump(resource, file, ensure_ascii=False, indent=1)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))
    print(f"{sum(counts.values())} resources, {wrong} with errors")
    sys.exit(wrong > 0)


main()
