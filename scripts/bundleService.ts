import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, mergeConfig, type Plugin } from 'vite'
import { filesUnder } from './hashFiles.mjs'
import { createLicences } from './licences.ts'
import { listServiceInputs } from './serviceBuild.mjs'

const main = 'service/main.ts'
const thread = 'service/search/searchThread.ts'

/**
 * Bundles the service of `root` and its packages into `folder`: ESM for Node 20 with source maps, the files
 * that it serves, and the licences. Throws when a module is not among the hashed inputs.
 */
export async function bundleService(root: string, folder: string): Promise<void> {
  const licences = createServiceLicences(root)
  await build(
    mergeConfig(common(root, licences), {
      plugins: [resolveTo('file', (id) => licences.add(id))],
      build: {
        ...{ outDir: folder, sourcemap: true, ssrEmitAssets: true },
        rolldownOptions: {
          // In one folder, as code finds entries beside itself.
          input: [main, thread].map((entry) => join(root, entry)),
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    }),
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'licences.txt'), licences.text())
}

/**
 * Bundles the service of `root` into one file that needs Node alone: search thread, chain configs, token
 * lists, the script of its documentation page, and the licences at its end. Throws as `bundleService`.
 */
export async function bundleServiceFile(root: string, file: string): Promise<void> {
  const licences = createServiceLicences(root)
  const bundle = async (entry: string, format: 'cjs' | 'es', define: Record<string, string>) => {
    const output = await build(
      mergeConfig(common(root, licences), {
        plugins: [resolveTo('data', (id) => licences.add(id))],
        define,
        build: {
          write: false,
          rolldownOptions: { input: join(root, entry), output: { format, codeSplitting: false } },
        },
      }),
    )
    const chunks = [output].flat().flatMap((built) => ('output' in built ? built.output : []))
    const [first, ...others] = chunks
    if (first?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} is not one file.`)
    return first.code
  }
  const chains = filesUnder(root, 'service/chains').filter((path) => path.endsWith('.json'))
  const texts = Object.fromEntries(chains.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  // Node evaluates the text of a worker as CommonJS.
  const serviceFiles = { ...texts, [thread]: await bundle(thread, 'cjs', {}) }
  const code = await bundle(main, 'es', { serviceFiles: JSON.stringify(serviceFiles) })
  const notices = licences.text().replaceAll('*/', '* /')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/usr/bin/env node\n${code}\n/*\n${notices}*/\n`)
}

function common(root: string, licences: ServiceLicences): InlineConfig {
  return {
    ...{ root, configFile: false, envDir: false, publicDir: false, logLevel: 'warn' },
    plugins: [requireHashed(root), licences.plugin],
    ssr: { noExternal: true, target: 'node' },
    build: { ssr: true, target: 'node20', minify: false },
  }
}

type ServiceLicences = ReturnType<typeof createServiceLicences>

function createServiceLicences(root: string) {
  // Rolldown adds its own runtime.
  const { plugin, add, list } = createLicences(root, ['rolldown'])
  const notices = new Map<string, string>()
  return {
    plugin,
    /** Adds the package of a file that comes along unbundled, and the file's own notices. */
    add(file: string): void {
      add(file)
      const own = `${file.replace(/\.gz$/, '')}.LICENSE.txt`
      if (existsSync(own)) notices.set(basename(own), readFileSync(own, 'utf8'))
    },
    text(): string {
      const texts = list().map(({ names, text }) => `${names.join(', ')}\n\n${text}\n`)
      return [...texts, ...[...notices].map(([name, text]) => `${name}\n\n${text}\n`)].join(`\n${line}\n\n`)
    },
  }
}

const line = '-'.repeat(72)

/** Brings along files that code names by `import.meta.resolve`: beside it, or as data URLs. */
function resolveTo(form: 'file' | 'data', include: (file: string) => void): Plugin {
  return {
    ...{ name: 'resolve-to', enforce: 'pre' },
    async transform(code, id) {
      const urls = new Map<string, string>()
      for (const [call, , specifier = ''] of code.matchAll(/import\.meta\.resolve\((['"])(.*?)\1\)/g)) {
        const file = (await this.resolve(specifier, id))?.id
        if (file === undefined) throw new Error(`${id}: ${specifier} is not found.`)
        include(file)
        const source = readFileSync(file)
        const name = basename(file)
        if (form === 'file') this.emitFile({ type: 'asset', fileName: name, source })
        urls.set(
          call,
          form === 'file'
            ? `new URL('./${name}', import.meta.url).href`
            : `'data:application/octet-stream;base64,${source.toString('base64')}'`,
        )
      }
      if (urls.size === 0) return null
      // Lines stay in their places.
      return { code: [...urls].reduce((text, [call, url]) => text.replaceAll(call, url), code), map: null }
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
