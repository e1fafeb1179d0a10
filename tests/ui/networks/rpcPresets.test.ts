import { h } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import { getRpcChoices } from '../../../src/state/networks/networkForm.ts'
import { RpcPresets } from '../../../src/ui/networks/RpcPresets.tsx'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const ethereum = builtInNetworks().find(({ chainId }) => chainId === 1)!
const hosts = getRpcChoices(1).map(({ url }) => new URL(url).host)

async function backupsIn(spareRpcUrl: string): Promise<string[]> {
  const network = { ...ethereum, spareRpcUrl }
  const { text } = await draw(h(RpcPresets, { network, isDisabled: false, onChoose: () => undefined }))
  return [...text.matchAll(/Backup: (\S+)/g)].map(([, host = '']) => host)
}

it('names the backup at each public RPC', async () => {
  const [first, ...others] = hosts
  expect(await backupsIn('')).toEqual([...others, first])
  expect(await backupsIn('https://spare.example')).toEqual(hosts.map(() => 'spare.example'))
})
