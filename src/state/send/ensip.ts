// Loaded on demand: the ENSIP-15 tables are large.
export { ens_normalize as normalize } from '@adraffy/ens-normalize/xnf'
export { decodeAbiParameters, encodeAbiParameters } from '../../domain/abi/abiCoder.ts'
