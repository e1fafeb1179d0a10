import * as v from 'valibot'
import { WalletError } from '../../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from '../bytes.ts'
import { open, seal } from '../cipher.ts'
import { accountsSchema, type Contents, pack, unpack, wipe } from './contents.ts'
import { latestVersions, type VaultRecord, vaultHeader } from './records.ts'

/** Wipes contents and key afterwards. Throws `wrong-password`. */
export async function withContents<T>(
  dataKey: Bytes,
  vault: VaultRecord,
  use: (contents: Contents) => T | Promise<T>,
): Promise<T> {
  const { iv, sealed, ...head } = vault
  let contents: Contents | undefined
  try {
    const plain = await open(dataKey, { iv: fromHex(iv), sealed: fromHex(sealed) }, vaultHeader(head))
    if (plain === undefined) throw new WalletError('wrong-password', 'This key does not open the vault.')
    contents = (vault.version === 1 ? unpackLegacy : unpack)(plain)
    return await use(contents)
  } finally {
    if (contents) wipe(contents)
    dataKey.fill(0)
  }
}

export async function sealContents(dataKey: Bytes, vaultId: Hex, contents: Contents): Promise<VaultRecord> {
  const head = { version: latestVersions.vault, vaultId }
  const plain = pack(contents)
  const { iv, sealed } = await seal(dataKey, plain, vaultHeader(head))
  plain.fill(0)
  return { ...head, iv: toHex(iv), sealed: toHex(sealed) }
}

/** Fixed until an unlock migrates the record. */
const onlySeed = '0000000000000000'

/** Decodes version 1: entropy length (1 byte), entropy, seed (64 bytes), JSON. Zeroes `packed`. */
export function unpackLegacy(packed: Bytes): Contents {
  const textAt = 1 + (packed[0] ?? 0) + 64
  const open = v.parse(openShape, JSON.parse(new TextDecoder().decode(packed.subarray(textAt))))
  const bytes = packed.slice(1, textAt)
  packed.fill(0)
  return {
    secrets: [{ id: onlySeed, kind: 'seed', backedUp: open.backedUp, bytes }],
    accounts: open.accounts.map((account) => ({ ...account, secret: onlySeed })),
  }
}

const openShape = v.object({ accounts: accountsSchema, backedUp: v.boolean() })
