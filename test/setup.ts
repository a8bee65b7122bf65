// Before every test file: the words of all jobs are declared, as in every program of Mainstay.

import "../src/jobs/all.ts";
