import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundledText } from '../bundledFiles.ts'

/** The code of a search thread: a script, or the text of one. */
export type ThreadCode = { file: URL } | { text: string }

/**
 * Returns the code of a search thread. Beside built JavaScript it is a file, in a service of one file its
 * text. From TypeScript it is bundled once for all threads: tsx in each would take 80 MB and two seconds.
 */
export async function loadThreadCode(): Promise<ThreadCode> {
  const text = bundledText('service/search/searchThread.ts')
  if (text !== undefined) return { text }
  if (!import.meta.url.endsWith('.ts')) return { file: new URL('./searchThread.js', import.meta.url) }
  code ??= bundle(fileURLToPath(new URL('./searchThread.ts', import.meta.url)))
  return { text: await code }
}

let code: Promise<string> | undefined

/** With tsx's own bundler. */
async function bundle(file: string): Promise<string> {
  const tsx = createRequire(import.meta.url).resolve('tsx')
  const { build, stop } = createRequire(tsx)('esbuild') as Esbuild
  const { outputFiles } = await build({
    entryPoints: [file],
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'silent' },
  })
  await stop()
  return outputFiles[0].text
}

type Esbuild = {
  build(options: Record<string, unknown>): Promise<{ outputFiles: [{ text: string }] }>
  stop(): Promise<void>
}
