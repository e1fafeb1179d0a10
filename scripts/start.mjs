// `npm start`: sets up, then runs dev/start.ts.
import { spawn } from 'node:child_process'
import { root, setUp } from './setup.mjs'

setUp()
const child = spawn(process.execPath, ['--import', 'tsx', 'dev/start.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
// The child cleans up and sets the exit code.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
