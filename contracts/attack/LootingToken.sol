// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DualToken, ERC721Events} from '../test/DualToken.sol';

/// @notice Each transfer steals another collection's item, claimed as its own mirror.
contract LootingToken is DualToken('LOOT') {
  Collection private _collection;

  function aim(Collection collection) external {
    _collection = collection;
  }

  function mirrorERC721() external view returns (address) {
    return address(_collection);
  }

  function ownerOf(uint256 id) external view returns (address) {
    return _ownerOf[id];
  }

  function _logItem(address from, address, uint256) internal override {
    if (from != address(0) && _collection.ownerOf(1) == from) _collection.transferFrom(from, address(this), 1);
  }
}

/// @notice Anyone can move its item.
contract Collection {
  string public constant symbol = 'ART';
  mapping(uint256 id => address) public ownerOf;

  constructor(address owner) {
    ownerOf[1] = owner;
    emit ERC721Events.Transfer(address(0), owner, 1);
  }

  function balanceOf(address owner) external view returns (uint256) {
    return ownerOf[1] == owner ? 1 : 0;
  }

  function transferFrom(address from, address to, uint256 id) external {
    require(ownerOf[id] == from, 'not the owner');
    ownerOf[id] = to;
    emit ERC721Events.Transfer(from, to, id);
  }
}
