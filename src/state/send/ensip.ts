// Loaded on demand: the ENSIP-15 tables are large.
export { ens_normalize as normalize } from '@adraffy/ens-normalize/xnf'
export { encodeAbiParameters } from 'viem'
export { decodeReturned } from '../../domain/abi/decodeStrict.ts'
