// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title What the registry of EIP-137 answers, open to whoever writes into it.
contract NameRegistry {
  struct Record {
    address owner;
    address resolver;
  }

  mapping(bytes32 node => Record) private records;

  function setRecord(bytes32 node, address owner_, address resolver_) external {
    records[node] = Record(owner_, resolver_);
  }

  function owner(bytes32 node) external view returns (address) {
    return records[node].owner;
  }

  function resolver(bytes32 node) external view returns (address) {
    return records[node].resolver;
  }
}

/// @title A resolver with its answers on the chain.
contract NameResolver {
  mapping(bytes32 node => address) public addr;

  function setAddr(bytes32 node, address who) external {
    addr[node] = who;
  }
}

/// @title A resolver whose answers are elsewhere (EIP-3668).
contract OffchainResolver {
  error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

  function addr(bytes32) external view returns (address) {
    string[] memory urls = new string[](1);
    urls[0] = 'https://names.example/{sender}/{data}.json';
    revert OffchainLookup(address(this), urls, msg.data, this.addr.selector, '');
  }
}

/// @title A resolver that knows no addresses at all.
contract TextResolver {
  function text(bytes32, string calldata) external pure returns (string memory) {
    return 'text';
  }
}
