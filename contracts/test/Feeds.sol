// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {MockV3Aggregator} from '@chainlink/contracts/src/v0.8/shared/mocks/MockV3Aggregator.sol';

/// @title Chainlink's EACAggregatorProxy, as far as a wallet reads it: a feed with its pair's name.
contract FeedProxy {
  MockV3Aggregator public immutable aggregator;
  string public description;

  constructor(MockV3Aggregator feed, string memory pair) {
    aggregator = feed;
    description = pair;
  }

  function decimals() external view returns (uint8) {
    return aggregator.decimals();
  }

  function latestAnswer() external view returns (int256) {
    return aggregator.latestAnswer();
  }

  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    return aggregator.latestRoundData();
  }
}

/// @title An adapter in front of a feed, like Aave's price caps: it passes the answer on, and no time.
contract Adapter {
  MockV3Aggregator public immutable ASSET_TO_USD_AGGREGATOR;

  constructor(MockV3Aggregator feed) {
    ASSET_TO_USD_AGGREGATOR = feed;
  }

  function latestAnswer() external view returns (int256) {
    return ASSET_TO_USD_AGGREGATOR.latestAnswer();
  }
}
