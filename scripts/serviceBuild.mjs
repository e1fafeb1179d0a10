// `npm run service:build`: builds the service when its sources have changed. No dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesUnder, hashFiles } from './hashFiles.mjs'

const here = fileURLToPath(new URL('..', import.meta.url))

/** Running services may still load files of their build. */
const keptBuilds = 5
const maxAttempts = 3

/**
 * Returns the folder of the built service, with `main.js`. Its name is the hash of everything it was built
 * from, so that no build is taken for that of other sources. Throws the bundler's output.
 */
export function buildService(root = here, bundle = runBundler) {
  const builds = join(root, '.output/service')
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const hash = hashService(root)
    const folder = join(builds, hash)
    if (existsSync(folder)) return folder
    const fresh = join(builds, `unfinished-${process.pid}`)
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { recursive: true })
    try {
      bundle(root, fresh)
      // Sources may change while they are bundled.
      if (hashService(root) !== hash) continue
      publish(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
    removeOldBuilds(builds)
    return folder
  }
  throw new Error("The service's sources change while they are built.")
}

/** Returns the files from which the service is built, relative to `root`. */
export function listServiceInputs(root) {
  const code = filesUnder(root, 'service').filter((file) => /(\.ts|tsconfig\.json)$/.test(file))
  // npm's record of the installed packages, absent before an install.
  const installed = 'node_modules/.package-lock.json'
  const others = ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE']
  return [
    ...code,
    ...others.flatMap((path) => filesUnder(root, path)).filter(isBuilding),
    ...(existsSync(join(root, installed)) ? [installed] : []),
  ]
}

function isBuilding(file) {
  const builders = ['bundleService.ts', 'hashFiles.mjs', 'licences.ts', 'serviceBuild.mjs']
  return !file.startsWith('scripts') || builders.some((name) => file === join('scripts', name))
}

function hashService(root) {
  return hashFiles(root, listServiceInputs(root)).slice(0, 16)
}

/** In a process of its own: the bundler would stay in the service's memory. */
function runBundler(root, folder) {
  const args = ['--import', 'tsx', 'scripts/bundleService.ts', root, folder]
  const done = spawnSync(process.execPath, args, { cwd: here, encoding: 'utf8' })
  if (done.status === 0) return
  throw new Error(`The service did not build.\n${done.error?.message ?? `${done.stdout}${done.stderr}`}`)
}

/** A rename is atomic; of concurrent builds the first remains. */
function publish(fresh, folder) {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

function removeOldBuilds(builds) {
  const byAge = readdirSync(builds)
    .map((name) => ({ path: join(builds, name), time: timeOf(join(builds, name)) }))
    .sort((one, other) => other.time - one.time)
  for (const { path } of byAge.slice(keptBuilds)) rmSync(path, { recursive: true, force: true })
}

/** A concurrent build may have removed it. */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(buildService())
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
