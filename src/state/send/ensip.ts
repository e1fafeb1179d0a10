// Code that reads a name, fetched only when one is typed. The tables of ENSIP-15 are large. Of what the
// browser can do itself (the normal forms of Unicode) they are without.
export { ens_normalize as normalize } from '@adraffy/ens-normalize/xnf'
export { decodeAbiParameters, encodeAbiParameters } from '../../domain/abi/abiCoder.ts'
