import { basename, dirname, resolve } from 'node:path'
import { listTextFiles, readTextFile } from './bundledFiles.ts'
import { type ChainConfig, parseConfig } from './config.ts'
import { isUrl } from './tokens/tokenList.ts'

/** Reads a chain's config. Throws an Error with one sentence. */
export async function readConfig(file: string, chainId: number): Promise<ChainConfig> {
  const config = parseConfig(await readJson(file), file)
  if (config.chainId !== chainId) {
    throw new Error(`${file} is the config of chain ${config.chainId}, not of --chain ${chainId}.`)
  }
  const { tokenList } = config
  if (tokenList === undefined || isUrl(tokenList)) return config
  return { ...config, tokenList: resolve(dirname(file), tokenList) }
}

/** Reads keys, one per line. Throws an Error with one sentence. */
export async function readKeys(file: string): Promise<Set<string>> {
  const lines = (await readText(file, 'keys')).split('\n').map((line) => line.trim())
  const odd = lines.findIndex((line) => /^#|\s/.test(line))
  if (odd >= 0)
    throw new Error(`Line ${odd + 1} of ${file} is no key: a key is one word, and comments are not read.`)
  const named = new Set(lines.filter((key) => key !== ''))
  if (named.size === 0) throw new Error(`${file} holds no key: nobody could ask anything.`)
  return named
}

async function readText(file: string, option: 'config' | 'keys'): Promise<string> {
  return readTextFile(file).catch(async (cause: NodeJS.ErrnoException) => {
    const others = option === 'config' ? await describeConfigs(dirname(file)) : ''
    throw new Error(`${file} cannot be read (${cause.code}). Name another with --${option}.${others}`, {
      cause,
    })
  })
}

/** Formats " service/chains has those of chains 1, 10." */
async function describeConfigs(folder: string): Promise<string> {
  const files = await listTextFiles(folder)
  const chains = files.flatMap((file) => /^([1-9]\d*)\.json$/.exec(basename(file))?.[1] ?? [])
  const sorted = chains.map(Number).sort((one, other) => one - other)
  return sorted.length === 0 ? '' : ` ${folder} has those of chains ${sorted.join(', ')}.`
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file, 'config')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON.`, { cause })
  }
}
