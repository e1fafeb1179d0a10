// Loaded on demand: the ENSIP-15 tables are large. This variant uses the browser's Unicode normalization.
export { ens_normalize as normalize } from '@adraffy/ens-normalize/xnf'
export { decodeAbiParameters, encodeAbiParameters } from '../../domain/abi/abiCoder.ts'
