// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;

import {CLFactory} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/CLFactory.sol';
import {CLPool} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/CLPool.sol';
import {
  CustomSwapFeeModule
} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/fees/CustomSwapFeeModule.sol';
import {
  CustomUnstakedFeeModule
} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/fees/CustomUnstakedFeeModule.sol';
import {
  DynamicSwapFeeModule
} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/fees/DynamicSwapFeeModule.sol';
