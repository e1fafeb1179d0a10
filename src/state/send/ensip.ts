// What ENSIP-15 takes to read a name: its tables are large, and only who types a name fetches them. Of what the browser can do itself
// (the normal forms of Unicode) they are without.
export { ens_normalize as normalize } from '@adraffy/ens-normalize/xnf'
