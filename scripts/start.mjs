#!/usr/bin/env node
// Runs on old versions of Node and without node_modules, since this is the first command in a fresh clone.
// package.json runs it with `exec`, so that npm sends signals to it and not to a shell that does not forward them. Windows has no
// `exec`; exec.cmd stands in for it. The arguments after `npm start --` follow the last command of the script.
import { outliveReaders } from "./lib/console.mjs";
import { runProgram } from "./lib/program.mjs";

const usage = `npm start [-- --lan[=<name or address>]]   starts the console and its database; Ctrl-C stops both
npm run dev                               the same with the development server, which reloads changed code

--lan               serves HTTPS to the devices of the local network (docs/local-network.md)
--lan=192.168.1.20  the same, with this name or address of the machine in links
--help              prints this text

Settings: environment variables or the file .env (.env.example has all of them), such as PORT=8080 npm start
Data:     .data, or the folder in DATA_DIR
Log:      run/server.log in the data folder, one JSON line per event; the one before it is run/server.log.1
          Warnings and errors are also shown in the terminal. The development server logs to the terminal only.
Database: the log of the embedded PostgreSQL is postgres/postgres.log in the data folder
Key:      keys/master.key in the data folder opens the secrets in the database. Keep a copy elsewhere.`;

outliveReaders();
const args = process.argv.slice(2);
// Before anything is installed.
if (args.includes("--help") || args.includes("-h")) console.log(usage);
else {
  process.exitCode = await runProgram(async (signals) => {
    const { readOptions, serve } = await import("./lib/serve.mjs");
    return serve(readOptions(args), signals);
  });
}
