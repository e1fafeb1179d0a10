import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { compileContracts } from '../../contracts/compile.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contracts-'))
  await mkdir(join(folder, 'inner'))
  await write('Base.sol', 'contract Base { uint256 public constant ONE = 1; }')
  await write('inner/Child.sol', "import {Base} from '../Base.sol'; contract Child is Base {}")
})
afterEach(() => rm(folder, { recursive: true }))

describe('compileContracts', () => {
  it('writes ABI and bytecode of every contract and resolves imports', async () => {
    await compileContracts(folder)
    const { abi, bytecode, deployedBytecode } = await read('Child')
    expect(abi).toMatchObject([{ type: 'function', name: 'ONE' }])
    expect(deployedBytecode).toMatch(/^0x[0-9a-f]{40,}$/)
    expect(bytecode).toContain(deployedBytecode.slice(2))
  })

  it('writes the same artifact when another contract is added', async () => {
    await compileContracts(folder)
    const first = await read('Child')
    await write('Another.sol', 'contract Another { function f() external {} }')
    await compileContracts(folder)
    expect(await read('Child')).toEqual(first)
    expect((await read('Another')).abi).toHaveLength(1)
  })

  it('leaves artifacts untouched when nothing changed', async () => {
    await compileContracts(folder)
    const file = join(folder, 'out', 'Child.json')
    const { ino } = await stat(file)
    await compileContracts(folder)
    expect((await stat(file)).ino).toBe(ino)
  })

  it('removes the artifact of a deleted contract', async () => {
    await compileContracts(folder)
    await rm(join(folder, 'inner', 'Child.sol'))
    await compileContracts(folder)
    expect(existsSync(join(folder, 'out', 'Child.json'))).toBe(false)
    expect(existsSync(join(folder, 'out', 'Base.json'))).toBe(true)
  })

  it('throws the compiler error with its location and keeps the old artifacts', async () => {
    await compileContracts(folder)
    const good = await read('Child')
    await write('inner/Child.sol', 'contract Child { uint256 x = nothing; }')
    await expect(compileContracts(folder)).rejects.toThrow(/Undeclared identifier[\s\S]*inner\/Child\.sol:3/)
    expect(await read('Child')).toEqual(good)
    await expect(compileContracts(folder)).rejects.toThrow(/Undeclared identifier/)
  })

  it('compiles imports from installed packages, with what they import', async () => {
    const feed = '@chainlink/contracts/src/v0.8/shared/mocks/MockV3Aggregator.sol'
    await write(
      'Feed.sol',
      `import {MockV3Aggregator} from '${feed}'; contract Feed is MockV3Aggregator(8, 1) {}`,
    )
    await compileContracts(folder)
    expect((await read('MockV3Aggregator')).bytecode).toMatch(/^0x[0-9a-f]{1000,}$/)
    expect((await read('Feed')).abi).toContainEqual(expect.objectContaining({ name: 'latestRoundData' }))
    // Only imported by the package itself.
    expect(existsSync(join(folder, 'out', 'AggregatorV3Interface.json'))).toBe(false)
  })

  it('rejects imports from outside the folder', async () => {
    await write('Child2.sol', "import {Other} from 'package/Other.sol'; contract Child2 {}")
    await expect(compileContracts(folder)).rejects.toThrow(/package\/Other\.sol" not found/)
  })

  it('rejects two contracts of the same name', async () => {
    await write('Twin.sol', 'contract Base {}')
    await expect(compileContracts(folder)).rejects.toThrow(
      'Two contracts are called Base, the second in Twin.sol',
    )
  })
})

describe('SwapRouter bytecode', () => {
  it('stays the same when it is compiled with other contracts or its comments change', async () => {
    await compileContracts()
    const { bytecode } = readArtifact('SwapRouter')
    for (const file of await readdir('contracts')) {
      if (!file.endsWith('.sol')) continue
      const source = await readFile(join('contracts', file), 'utf8')
      await writeFile(join(folder, file), `${source}\n// Another word.\n`)
    }
    await compileContracts(folder)
    expect((await read('SwapRouter')).bytecode).toBe(bytecode)
  }, 600_000)
})

describe('readArtifact', () => {
  it('names the command to run when the contract was not compiled', () => {
    expect(() => readArtifact('Nonsense')).toThrow(/No compiled contract Nonsense; `npm run contracts`/)
  })
})

async function write(path: string, code: string): Promise<void> {
  const head = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\n'
  await writeFile(join(folder, path), head + code)
}

async function read(name: string) {
  return JSON.parse(await readFile(join(folder, 'out', `${name}.json`), 'utf8'))
}
