#!/usr/bin/env python3
"""What `verdicts` makes of a guest's results: a skip is a failure unless it is expected in that mode and for that reason."""
import importlib.machinery, importlib.util, os, tempfile, unittest

HERE = os.path.dirname(os.path.realpath(__file__))
MODES = {"v2", "v1", "systemd", "rootless", "bare", "nested"}
loader = importlib.machinery.SourceFileLoader("verdicts", os.path.join(HERE, "verdicts"))
verdicts = importlib.util.module_from_spec(importlib.util.spec_from_loader("verdicts", loader))
loader.exec_module(verdicts)

EXPECTED = [("attack.Class23", "in part"), ("sandbox.Posture.*", "only root")]


def judged(results, host=()):
    return verdicts.judge(EXPECTED, results, set(host))


class Verdicts(unittest.TestCase):
    def test_what_passed_is_right(self):
        self.assertEqual(judged({"os.A.B": ("passed", "")}, ["os.A.B"]), ([], []))

    def test_an_expected_skip_is_told_and_right(self):
        remarks, wrong = judged({"attack.Class23": ("skipped", "23: Skipped: in part | why")})
        self.assertEqual(wrong, [])
        self.assertIn("attack.Class23", remarks[0])

    def test_a_skip_that_nobody_expects_is_wrong(self):
        self.assertIn("attack.Class24", judged({"attack.Class24": ("skipped", "not tried")})[1][0])

    def test_a_skip_for_another_reason_is_wrong(self):
        self.assertEqual(len(judged({"attack.Class23": ("skipped", "23: Skipped: not tried")})[1]), 1)

    def test_a_pattern_expects_all_that_it_fits(self):
        remarks, wrong = judged({f"sandbox.Posture.{name}": ("skipped", "only root can look") for name in "ABC"})
        self.assertEqual((len(remarks), wrong), (1, []))

    def test_what_is_listed_and_passed_is_remarked_on(self):
        remarks, wrong = judged({"attack.Class23": ("passed", "")})
        self.assertEqual((len(remarks), wrong), (1, []))

    def test_what_passed_on_the_host_must_have_been_run(self):
        self.assertIn("os.A.C", judged({"os.A.B": ("passed", "")}, ["os.A.B", "os.A.C"])[1][0])

    def test_a_test_with_a_parameter_is_known_by_either_name(self):
        self.assertEqual(verdicts.stem("sandbox.Way/Put.Arrives/200000"), verdicts.stem("sandbox.Way/Put.Arrives/1"))
        self.assertNotEqual(verdicts.stem("sandbox.Way/Put.Arrives"), verdicts.stem("sandbox.Way/Put.Leaves"))

    def test_a_fresh_report_of_the_host_is_read_and_a_stale_one_is_not(self):
        with tempfile.TemporaryDirectory() as build:
            os.mkdir(os.path.join(build, "bin"))
            program, report = os.path.join(build, "bin", "test_os"), os.path.join(build, "pure.xml")
            for path, text in (program, ""), (report, '<s><testcase name="os.A.B" status="run"/><testcase name="os.A.C" status="fail"/></s>'):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            os.utime(program, (1, 1))
            self.assertEqual(verdicts.passed_on_host(build, {"os"}), {"os.A.B"})
            self.assertEqual(verdicts.passed_on_host(build, {"exec"}), set())
            os.utime(report, (0, 0))
            self.assertEqual(verdicts.passed_on_host(build, {"os"}), set())

    def test_every_line_of_the_file_has_modes_a_pattern_and_a_reason(self):
        with open(os.path.join(HERE, "expected"), encoding="utf-8") as file:
            lines = [line.split(None, 2) for line in file if line.strip() and not line.startswith("#")]
        for line in lines:
            self.assertEqual(len(line), 3, line)
            self.assertLessEqual(set(line[0].split(",")), MODES, line)


unittest.main()
