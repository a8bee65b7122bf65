// Before every test file: the words of all jobs are declared, as in every program of Mainstay.

// oxlint-disable-next-line import/no-unassigned-import -- loading a declaration declares its words
import "../src/jobs/all.ts";
