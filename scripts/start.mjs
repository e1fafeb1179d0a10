// `npm start`: sets up what is missing, then hands over to dev/start.ts.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'dev/start.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
// Ctrl-C reaches the whole process group; the child ends what it started and decides the exit code.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
