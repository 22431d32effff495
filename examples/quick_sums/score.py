import json, sys

results = json.load(sys.stdin)
tasks = {task["taskId"]: task for task in results["tasks"]}
[large] = tasks["quick"]["results"]
quick = 0 if large["status"] != "AC" else 50 if large["runTime"] < 500 else 20
print(json.dumps({"score": tasks["right"]["subtaskScore"] + quick,
                  "message": f"{large['runTime']} ms for the large test", "breakdown": {"quick": quick}}))
