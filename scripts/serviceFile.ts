import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { bundleServiceFile } from './bundleService.ts'

// `npm run service:file [-- FILE]`: writes the service as one file, .output/sluice-service.mjs by default.

const [file = '.output/sluice-service.mjs'] = process.argv.slice(2)
await bundleServiceFile(resolve(import.meta.dirname, '..'), resolve(file))
console.log(`${relative('', resolve(file))}: ${Math.round(statSync(file).size / 1_000)} kB`)
