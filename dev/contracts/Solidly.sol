// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Pool} from 'sphere-mezo-solidity-files/domains/aerodrome/contracts/Pool.sol';
import {PoolFactory} from 'sphere-mezo-solidity-files/domains/aerodrome/contracts/factories/PoolFactory.sol';
