"""Turns the harbour master's table (date;time;height) into the JSON that src/ reads."""

import csv
import json
import sys
from datetime import datetime


def read_tides(path):
    with open(path, encoding="utf-8") as table:
        for date, time, height in csv.reader(table, delimiter=";"):
            moment = datetime.strptime(f"{date} {time}", "%Y-%m-%d %H:%M")
            yield {"time": moment.isoformat(), "height": float(height.replace(",", "."))}


if __name__ == "__main__":
    # TODO: summer time is not handled, the table is in winter time all year
    json.dump(list(read_tides(sys.argv[1])), sys.stdout, indent=2)
