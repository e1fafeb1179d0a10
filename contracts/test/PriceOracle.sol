// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title Chainlink's AggregatorV3Interface, as far as a wallet reads it.
contract Feed {
  int256 internal answer;
  uint256 internal updatedAt;

  function set(int256 newAnswer, uint256 newUpdatedAt) external {
    answer = newAnswer;
    updatedAt = newUpdatedAt;
  }

  function latestAnswer() external view returns (int256) {
    return answer;
  }

  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    return (1, answer, updatedAt, updatedAt, 1);
  }
}

/// @title An adapter in front of a feed, like Aave's price caps: it passes the answer on, and no time.
contract Adapter {
  Feed public ASSET_TO_USD_AGGREGATOR;

  constructor(Feed feed) {
    ASSET_TO_USD_AGGREGATOR = feed;
  }

  function latestAnswer() external view returns (int256) {
    return ASSET_TO_USD_AGGREGATOR.latestAnswer();
  }
}

/// @title AaveOracle without a fallback: prices in US dollars with eight decimals.
contract PriceOracle {
  mapping(address => Feed) public getSourceOfAsset;

  function setSource(address asset, Feed feed) external {
    getSourceOfAsset[asset] = feed;
  }

  function getAssetPrice(address asset) external view returns (uint256) {
    int256 answer = getSourceOfAsset[asset].latestAnswer();
    // Aave asks its fallback for such an answer; without one it reverts.
    require(answer >= 0, 'NEGATIVE_PRICE');
    return uint256(answer);
  }
}
