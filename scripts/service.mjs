// `npm run service`: builds the service when its sources have changed, and runs it in this process.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildService } from './serviceBuild.mjs'

await import(pathToFileURL(join(built(), 'main.js')).href)

function built() {
  try {
    return buildService()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
