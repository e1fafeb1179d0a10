import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { createLicences } from './licences.ts'
import { listServiceInputs } from './serviceBuild.mjs'

/** Files that a process starts by their path; output files bear their names. */
const entries = ['service/main.ts', 'service/search/searchThread.ts']

/**
 * Bundles the service of `root` and its packages into `folder`: ESM for Node 20 with source maps, the files
 * that it serves, and the licences. Throws when a module is not among the hashed inputs.
 */
export async function bundleService(root: string, folder: string): Promise<void> {
  // Rolldown adds its own runtime.
  const licences = createLicences(root, ['rolldown'])
  await build({
    ...{ root, configFile: false, envDir: false, publicDir: false, logLevel: 'warn' },
    plugins: [emitResolved((id) => licences.add(id)), requireHashed(root), licences.plugin],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...{ ssr: true, outDir: folder, target: 'node20', sourcemap: true, minify: false },
      ssrEmitAssets: true,
      rolldownOptions: {
        input: entries.map((entry) => join(root, entry)),
        // In one folder, as code finds entries beside itself.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const texts = licences.list().map(({ names, text }) => `${names.join(', ')}\n\n${text}\n`)
  writeFileSync(join(folder, 'licences.txt'), texts.join(`\n${'-'.repeat(72)}\n\n`))
}

/** Copies files that code names by `import.meta.resolve`, with their compressed forms and notices. */
function emitResolved(include: (id: string) => void): Plugin {
  return {
    ...{ name: 'emit-resolved', enforce: 'pre' },
    async transform(code, id) {
      const names = new Map<string, string>()
      for (const [call, , specifier = ''] of code.matchAll(/import\.meta\.resolve\((['"])(.*?)\1\)/g)) {
        const file = (await this.resolve(specifier, id))?.id
        if (file === undefined) throw new Error(`${id}: ${specifier} is not found.`)
        include(file)
        for (const ending of ['', '.gz', '.br', '.LICENSE.txt']) {
          if (!existsSync(file + ending)) continue
          this.emitFile({
            ...{ type: 'asset', fileName: basename(file + ending) },
            source: readFileSync(file + ending),
          })
        }
        names.set(call, `new URL('./${basename(file)}', import.meta.url).href`)
      }
      if (names.size === 0) return null
      // Lines stay in their places.
      return { code: [...names].reduce((text, [call, url]) => text.replaceAll(call, url), code), map: null }
    },
  }
}

/** A module that is not hashed could change without a new build. */
function requireHashed(root: string): Plugin {
  const hashed = new Set(listServiceInputs(root).map((file: string) => resolve(root, file)))
  return {
    name: 'require-hashed',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const strays = ids.filter((id) => isAbsolute(id) && !id.includes('/node_modules/') && !hashed.has(id))
      if (strays.length === 0) return
      throw new Error(`Not among the inputs: ${strays.map((id) => relative(root, id)).join(', ')}`)
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root = '', folder = ''] = process.argv.slice(2)
  await bundleService(root, folder).catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
