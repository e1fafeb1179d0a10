import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { BaseError } from 'viem'
import { parseArguments } from './arguments.ts'
import { parseConfig } from './config.ts'
import { startService } from './server.ts'

async function main(args: string[]): Promise<void> {
  const { chainId, configFile, keysFile, ...place } = parseArguments(args)
  const config = parseConfig(await readJson(configFile), configFile)
  if (config.chainId !== chainId) {
    throw new Error(`${configFile} is the config of chain ${config.chainId}, not of --chain ${chainId}.`)
  }
  const keys = keysFile === undefined ? {} : { keys: await readKeys(keysFile) }
  const service = await startService({ ...place, ...keys, config, report: createReport() })
  console.log(`Serving chain ${chainId} at ${service.url}/v6.1/${chainId}/`)

  const stop = async () => {
    await service.stop()
    console.log('Stopped.')
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${cause.code}). Name another with --config or --keys.`, {
      cause,
    })
  })
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON.`, { cause })
  }
}

/** One key a line. */
async function readKeys(file: string): Promise<Set<string>> {
  const keys = (await readText(file)).split('\n').map((line) => line.trim())
  const named = new Set(keys.filter((key) => key !== ''))
  if (named.size === 0) throw new Error(`${file} holds no key: nobody could ask anything.`)
  return named
}

/** A node that is away fails several times a second in the same words: they are said once. */
function createReport() {
  let last = ''
  return (error: unknown, during: string) => {
    const text = `${during}: ${sentence(error)}`
    if (text !== last) console.error(text)
    last = text
  }
}

/** The node's URL often holds a key, and viem's long messages hold the URL. */
function sentence(error: unknown): string {
  if (error instanceof BaseError) return `the node at --rpc failed: ${error.shortMessage}`
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'The port is taken. Choose another with --port, or 0 for a free one.'
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return 'This machine has no address of that --host.'
  return error instanceof Error ? error.message : String(error)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(sentence(error))
    process.exitCode = 1
  })
}
